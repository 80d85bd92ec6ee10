Feature: Plans and actions that are put away

  What is finished is archived, and what is not needed is deleted, while others
  still work with it. Whoever deletes takes what belongs to it along, and nobody
  is left with something that refers to what is gone.

  Scenario Outline: a plan is deleted while it is applied, <where>
    Given <where>
    And a plan at execute/complete
    When one worker claims the plan and then applies the plan while another deletes the plan
    Then the plan is applied, or deleted, and never both

    Examples:
      | where                                                |
      | a plan service in memory                             |
      | two instances of the plan service on one SQLite file |

  Scenario Outline: an action with plans cannot be deleted, <where>
    Given <where>
    And an action "local/weave"
    When one caller makes a plan from the action "local/weave" while another deletes the action "local/weave"
    Then exactly one succeeds
    And the other is told that the action is gone, or that it has plans

    Examples:
      | where                                                |
      | a plan service in memory                             |
      | two instances of the plan service on one SQLite file |

  Scenario: an action is deleted by several, and created anew
    Given a plan service in memory
    And an action "local/weave"
    When two callers delete the action "local/weave"
    And after that a third creates the action "local/weave"
    Then the calls end like this:
      | outcome   | times |
      | success   | 2     |
      | not found | 1     |
    And the action is the winner's

  Scenario: a finished plan is archived by both instances
    Given two instances of the plan service on one SQLite file
    And a plan at apply/applied
    And every instance has read the plan
    When both instances archive the plan
    And after that the second instance lists the plans
    Then the calls end like this:
      | outcome  | times |
      | success  | 1     |
      | archived | 1     |
    And the plan is in no listing after that
