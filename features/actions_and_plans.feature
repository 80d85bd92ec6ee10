Feature: Actions and plans that are kept in memory

  Without a database the plan service keeps its actions and plans in memory.
  Report #1281 tells what several callers do to them. An action is lost without
  an error, because its name is looked up in one step and taken in another. A
  listing of plans breaks, because plans are added meanwhile.

  The suggested fix guards each step by itself. That is enough for the plans,
  which are made, found and listed in one step each, and not for the actions.

  Scenario Outline: R2, two creators of one action, <version>
    Given a plan service that keeps everything in memory, <version>
    When two creators create an action of the same name, in many orders
    Then exactly one succeeds, the other is told that the action already exists, and the action is the winner's

    @tdd_issue @tdd_issue_1281 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_1281
    Examples: kept
      | version |
      | ours    |

  Scenario Outline: R3, plans listed while others are made, <version>
    Given a plan service that keeps everything in memory, <version>
    When plans are made from an action while others list the plans, in many orders
    Then every plan that was returned is found afterwards, and every listing shows the plans as they were at one moment

    @tdd_issue @tdd_issue_1281 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_1281
    Examples: kept
      | version      |
      | as suggested |
      | ours         |
